import type { KeptCorrection } from '#shared/domain/corrections.ts';
import type { StoredAct } from '../../store/metadata/alarm-rows.ts';
import { keySettingsId, type PendingDeletion } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import type { WorldSnapshot } from '../../store/world-snapshots.ts';
import { createDeviceToken, hashSecret } from '../../vault/secrets.ts';
import { actKey } from '../alarms/end-alarms.ts';
import type { Context } from '../context.ts';
import { runDeletion, type Remover } from '../removal/pending.ts';
import { workOf } from '../under-way.ts';
import { requireWorlds } from './find-snapshot.ts';
import { atHand, savedRows, type WorldRows } from './world-rows.ts';

/** A new world of a snapshot, whose records and secrets are there and which nobody knows yet. */
export interface Planted {
  /** Makes it known: to be part of the change that makes its account. */
  insert(tables: WritableTables): void;
  /** Removes it again. */
  takeBack(): Promise<void>;
}

type Planter = Remover & Pick<Context, 'worlds' | 'chance' | 'vault'>;

/**
 * Plants a snapshot in another account, with ids and tokens of its own. Until it is inserted it is noted as deleted, so that a start
 * after a crash removes it. API keys and what can be undone are of the first world alone.
 */
export async function plantSnapshot(
  { id }: WorldSnapshot,
  account_id: string,
  context: Planter,
): Promise<Planted> {
  const { metadata, vault, chance, work } = context;
  const { snapshots, serial } = requireWorlds(context);
  return serial.run(async () => {
    const then = savedRows(await snapshots.rows(id));
    const own = chance.of(account_id);
    const ids = new Map([...then.projects, ...then.devices].map((row) => [row.id, own.uuid()]));
    const idOf = (former: string) => ids.get(former) ?? former;
    const tokens = new Map(then.devices.map((row) => [row.id, createDeviceToken(own)]));
    const uuids = new Map(
      [
        ...then.functions,
        ...then.widgets,
        ...then.notes,
        ...then.alarms,
        ...then.views,
        ...then.corrections,
      ].map((row) => [row.id, own.uuid()]),
    );
    // Rules that were deleted are in their alarms alone.
    for (const { function_id } of then.alarms)
      if (!uuids.has(function_id)) uuids.set(function_id, own.uuid());
    // Corrections that were removed are in the history alone.
    for (const { id: former, correction_id } of then.correction_history) {
      uuids.set(former, own.uuid());
      if (!uuids.has(correction_id)) uuids.set(correction_id, own.uuid());
    }
    const mark = own.uuid();
    const notes = then.projects.map(({ id: former }): PendingDeletion => ({
      kind: 'project',
      project_id: idOf(former),
      device_ids: then.devices.filter((row) => row.project_id === former).map((row) => idOf(row.id)),
    }));
    const takeBack = async () => {
      for (const note of notes) await work.during(workOf(note), () => runDeletion(account_id, note, context));
    };
    await metadata.change((tables) => {
      for (const note of notes) atHand(tables.noteDeletion(note));
    });
    try {
      for (const { id: former, project_id } of then.devices)
        await vault.set(
          { kind: 'device-token', project_id: idOf(project_id), device_id: idOf(former) },
          tokens.get(former) ?? '',
        );
      await snapshots.plant(id, mark, new Map(then.devices.map((row) => [idOf(row.id), row.id])));
    } catch (error) {
      await takeBack();
      throw error;
    }
    return {
      takeBack,
      insert(tables) {
        for (const note of notes) atHand(tables.crossOutDeletion(note));
        insertRows(tables, then, { account_id, idOf, tokens, uuids });
      },
    };
  });
}

interface Names {
  readonly account_id: string;
  readonly idOf: (former: string) => string;
  readonly tokens: ReadonlyMap<string, string>;
  readonly uuids: ReadonlyMap<string, string>;
}

function insertRows(
  tables: WritableTables,
  then: WorldRows,
  { account_id, idOf, tokens, uuids }: Names,
): void {
  const newId = (former: string) => uuids.get(former) ?? former;
  for (const { id, sequence: _, ...row } of then.projects)
    atHand(tables.insert('projects', { ...row, id: idOf(id), account_id }));
  for (const { id, sequence: _, ...row } of then.devices) {
    const token_hash = hashSecret(tokens.get(id) ?? '');
    atHand(tables.insert('devices', { ...row, id: idOf(id), project_id: idOf(row.project_id), token_hash }));
  }
  const ofDevice = <Row extends { readonly project_id: string; readonly device_id: string }>(row: Row) => ({
    ...row,
    project_id: idOf(row.project_id),
    device_id: idOf(row.device_id),
  });
  for (const { sequence: _, ...row } of then.functions) {
    const device_id = row.device_id === null ? null : idOf(row.device_id);
    atHand(
      tables.insert('functions', {
        ...row,
        id: newId(row.id),
        project_id: idOf(row.project_id),
        device_id,
      }),
    );
  }
  for (const { sequence: _, ...row } of then.notes)
    atHand(tables.insert('notes', { ...ofDevice(row), id: newId(row.id) }));
  for (const { sequence: _, ...row } of then.alarms) {
    const named = { id: newId(row.id), function_id: newId(row.function_id) };
    const acts = row.acts.map((each, i) => actOfCopy(each, { ...named, acts: [] }, i, newId));
    atHand(tables.insert('alarms', { ...ofDevice(row), ...named, acts }));
  }
  const says = (what: KeptCorrection): KeptCorrection =>
    what.kind === 'replaced' ? { ...what, device_id: idOf(what.device_id) } : what;
  for (const { sequence: _, ...row } of then.corrections)
    atHand(tables.insert('corrections', { ...ofDevice(row), id: newId(row.id), what: says(row.what) }));
  for (const { sequence: _, ...row } of then.correction_history) {
    const ids = { id: newId(row.id), correction_id: newId(row.correction_id) };
    atHand(
      tables.insert('correction_history', { ...ofDevice(row), ...ids, what: row.what && says(row.what) }),
    );
  }
  for (const { sequence: _, ...row } of then.key_settings) {
    const moved = ofDevice(row);
    atHand(tables.insert('key_settings', { ...moved, id: keySettingsId(moved.device_id, row.key) }));
  }
  for (const { sequence: _, ...row } of then.widgets) {
    const sources = row.sources.map((source) => ({ ...source, device_id: idOf(source.device_id) }));
    atHand(
      tables.insert('widgets', { ...row, id: newId(row.id), project_id: idOf(row.project_id), sources }),
    );
  }
  for (const { sequence: _, ...row } of then.views) {
    const address = row.address.replaceAll(/[0-9a-zA-Z-]+/g, (part) => idOf(part));
    atHand(tables.insert('views', { ...row, id: newId(row.id), account_id, address }));
  }
}

/** Acts of an alarm of a copied world: none that was asked for in the original. */
function actOfCopy(
  each: StoredAct,
  alarm: Parameters<typeof actKey>[0],
  i: number,
  newId: (former: string) => string,
): StoredAct {
  const named = {
    ...each,
    key: actKey(alarm, each.event, i),
    ...(each.note_id !== undefined && { note_id: newId(each.note_id) }),
  };
  if (each.state !== 'waiting') return named;
  return {
    ...named,
    state: 'failed',
    next: null,
    error: 'It was asked for in the world that this one is a copy of.',
  };
}
