import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { givenOf } from '#shared/operations/metadata/given-correction.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { CallId, InputOf, OutputOf } from '#shared/operations/index.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { restoring } from '../../../renderer/components/work/delete-ways.ts';
import {
  editOfCorrection,
  editOfDevice,
  editOfKey,
  editOfNote,
  editsWay,
  reversed,
  type Edited,
} from '../../../renderer/stores/undo/edits.ts';
import { Superseded, UndoHistory, type Way } from '../../../renderer/stores/undo/undoable.ts';
import { generator } from '../../faults/random-crashes.ts';
import { withSeed } from '../../helpers/chance.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { changeOf, Model, type Act, type World } from './undo-naive-model.ts';

/*
 * Random acts of a window, their undos and redos, over the real operations, beside a naive model: of each field a list of who
 * wrote what. Another window changes the same things. Whatever is undone leaves what the other one wrote, and an undo that is
 * not refused leaves what was there before its act.
 */

let service: RunningService;
beforeAll(async () => void (service = await runService()));
afterAll(() => service.stop());

const STEPS = 60;
const KEY = 'flow';

const { Refused } = vi.hoisted(() => ({ Refused: class extends Error {} }));

// Ways of deletes ask by the bridge of a page; here is none.
vi.mock('../../../renderer/bridge/ask.ts', () => ({
  ask: (id: CallId, input: never) => ask(id, input),
  Refused,
}));

async function ask<Id extends CallId>(id: Id, input: InputOf<Id>): Promise<OutputOf<Id>> {
  const envelope = await service.bridge.call(id, input);
  if (!envelope.success) throw new Refused(envelope.message);
  return envelope.data as OutputOf<Id>;
}

interface Done extends Act {
  readonly title: string;
  readonly way: Way;
}

class Story {
  readonly random: () => number;
  readonly history = new UndoHistory((error) => error instanceof Refused || error instanceof Superseded);
  readonly told: string[] = [];
  project_id = '';
  devices: string[] = [];
  #n = 0;

  constructor(seed: number) {
    this.random = generator(seed);
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)] as T;
  }

  /** A text that nothing had before, or now and then one of few: a field may get the value back that it had. */
  word = () => (this.random() < 0.3 ? this.pick(['a', 'b']) : `w${++this.#n}`);

  async begin(): Promise<void> {
    const { id: project_id } = await ask('projects.create', { name: 'Story' });
    this.project_id = project_id;
    for (let n = 0; n < 3; n++) {
      const { id, metadata } = await ask('devices.create', { project_id, name: `D${n}`, source: 'http' });
      await service.request('POST', '/integrations/http', {
        key: metadata.device_token,
        body: { [KEY]: n },
      });
      this.devices.push(id);
    }
  }

  async world(): Promise<World> {
    const { project_id } = this;
    const world = new Map<string, string>();
    for (const device_id of this.devices) {
      const envelope = await service.bridge.call('devices.get', { project_id, device_id });
      if (!envelope.success) continue;
      const { name, tags, brand } = envelope.data as Device;
      const fields: Record<string, unknown> = { name, tags, brand };
      const { records } = await ask('records.count', { project_id, device_id });
      fields['records'] = records;
      const settings = (await ask('key-settings.list', { project_id, device_id }))[0];
      for (const field of ['unit', 'decimals'] as const)
        fields[field] = settings?.[field] ?? NO_SETTINGS[field];
      for (const [field, value] of Object.entries(fields))
        world.set(`${device_id} ${field}`, JSON.stringify(value));
      for (const note of await ask('notes.list', { project_id, device_id }))
        world.set(`${device_id} note ${note.id}`, JSON.stringify(note));
      for (const correction of await ask('corrections.list', { project_id, device_id }))
        world.set(`${device_id} correction ${correction.id}`, JSON.stringify(givenOf(correction)));
    }
    return world;
  }

  /** One of the devices that are there. */
  async device(): Promise<string | null> {
    const found = await ask('devices.list', { project_id: this.project_id });
    return this.pick<string | undefined>(found.map(({ id }) => id).toSorted()) ?? null;
  }

  /** An act, and how it is taken back; null where there was nothing to do. */
  async act(): Promise<Done | null> {
    const { project_id } = this;
    const device_id = await this.device();
    if (device_id === null) return null;
    const of = { project_id, device_id };
    const removal = this.pick(['none', 'none', 'none', 'none', 'device', 'records'] as const);
    if (removal !== 'none') {
      const act = () => (removal === 'device' ? ask('devices.remove', of) : ask('records.delete', of));
      const count = async () => (await ask('devices.impact', of)).deleted;
      return { kind: removal, device_id, title: removal, way: restoring(await act(), { act, count }) };
    }
    const edited = async (): Promise<Edited | null> => {
      const kind = this.pick([
        ...(['device', 'device', 'key', 'keys', 'add', 'change', 'remove'] as const),
        ...(['correct', 'correct', 'recorrect', 'uncorrect'] as const),
      ]);
      if (kind === 'device') {
        const before = await ask('devices.get', of);
        const field = this.pick(['name', 'brand', 'tags'] as const);
        const given = field === 'tags' ? { tags: [this.word()] } : { [field]: this.word() };
        return editOfDevice(before, await ask('devices.update', { ...of, ...given }));
      }
      if (kind === 'key' || kind === 'keys') {
        const given = this.random() < 0.5 ? { unit: this.word() } : { decimals: this.pick([null, 1, 2]) };
        const apply_to = kind === 'key' ? 'device' : 'project';
        const { before } = await ask('key-settings.set', { ...of, key: KEY, ...given, apply_to });
        const groups = (before ?? []).map((group) =>
          editOfKey(KEY, [group], { ...group.settings, ...given }, 'D'),
        );
        const keys = groups.flatMap((group) => group?.edits.keys ?? []);
        return keys.length === 0 ? null : { title: `key ${JSON.stringify(given)}`, edits: { keys } };
      }
      if (kind === 'correct' || kind === 'recorrect' || kind === 'uncorrect') return this.#correct(kind, of);
      const start = '2026-03-02T20:30:00Z';
      if (kind === 'add')
        return editOfNote(null, await ask('notes.create', { ...of, start, text: this.word() }));
      const note = this.pick<Note | undefined>(await ask('notes.list', of));
      if (!note) return null;
      if (kind === 'remove') {
        await ask('notes.delete', { ...of, note_id: note.id });
        return editOfNote(note, null);
      }
      return editOfNote(note, await ask('notes.update', { ...of, note_id: note.id, text: this.word() }));
    };
    const done = await edited();
    if (!done) return null;
    const replace = (input: InputOf<'edits.replace'>) => ask('edits.replace', input);
    return {
      kind: 'edit',
      device_id,
      title: done.title,
      way: editsWay(replace, project_id, reversed(done.edits)),
    };
  }

  async #correct(
    kind: 'correct' | 'recorrect' | 'uncorrect',
    of: { readonly project_id: string; readonly device_id: string },
  ): Promise<Edited | null> {
    const [from, to] = ['2026-03-02T20:30:00Z', '2026-03-02T21:30:00Z'];
    const flag = { kind: 'quality', quality: 'fail', from, to, reason: this.word() } as const;
    const scale = { kind: 'calibration', key: KEY, points: { gain: 2, offset: 0 }, by: this.word() } as const;
    if (kind === 'correct')
      return editOfCorrection(null, await ask('corrections.create', { ...of, ...this.pick([flag, scale]) }));
    const correction = this.pick<ShownCorrection | undefined>(await ask('corrections.list', of));
    if (!correction) return null;
    const one = { ...of, correction_id: correction.id };
    if (kind === 'uncorrect') {
      await ask('corrections.delete', one);
      return editOfCorrection(correction, null);
    }
    return editOfCorrection(correction, await ask('corrections.update', { ...one, reason: this.word() }));
  }

  /** Somebody else changes something, and nothing of the window's history knows it. */
  async meddle(): Promise<void> {
    const device_id = await this.device();
    if (device_id === null) return;
    const of = { project_id: this.project_id, device_id };
    const kind = this.pick(['device', 'key', 'note', 'correction', 'records'] as const);
    if (kind === 'records') {
      const { device_credentials } = await ask('devices.get', of);
      const key = device_credentials.device_token;
      await service.request('POST', '/integrations/http', { key, body: { [KEY]: 1 } });
      return;
    }
    if (kind === 'device')
      await ask('devices.update', { ...of, [this.pick(['name', 'brand'])]: this.word() });
    else if (kind === 'key') await ask('key-settings.set', { ...of, key: KEY, unit: this.word() });
    else if (kind === 'correction') {
      const found = this.pick<ShownCorrection | undefined>(await ask('corrections.list', of));
      if (found) await ask('corrections.update', { ...of, correction_id: found.id, reason: this.word() });
    } else {
      const note = this.pick<Note | undefined>(await ask('notes.list', of));
      if (note) await ask('notes.delete', { ...of, note_id: note.id });
    }
  }
}

test('undo and redo of a window do what a naive model says, whatever another window changes', async () => {
  const outcomes = new Map<string, number>();
  for (let run = 0; run < someRuns(32); run++)
    await withSeed(async (seed) => {
      const story = new Story(seed);
      await story.begin();
      const model = new Model();
      for (let step = 0; step < STEPS; step++) {
        const about = () => `seed ${seed}, step ${step}: ${story.told.join('; ')}`;
        const before = await story.world();
        const what = story.random();
        if (what < 0.4) {
          const done = await story.act();
          const change = changeOf(done ?? { kind: 'edit', device_id: '' }, before, await story.world());
          story.told.push(`act ${done?.title ?? 'nothing'}`);
          if (done?.kind !== 'records') expect(change.of.size > 0, about()).toBe(done !== null);
          if (!done) continue;
          story.history.add(done);
          model.did(change);
        } else if (what < 0.55) {
          await story.meddle();
          story.told.push('meddled');
        } else {
          const direction = what < 0.85 ? 'undo' : 'redo';
          const expected = model.take(direction, before);
          let got: string = 'done';
          try {
            if ((await story.history.take(direction)) === null) got = 'nothing';
          } catch (error) {
            if (!(error instanceof Refused || error instanceof Superseded)) throw error;
            got = 'refused';
          }
          story.told.push(`${direction} ${got}`);
          outcomes.set(`${direction} ${got}`, (outcomes.get(`${direction} ${got}`) ?? 0) + 1);
          const after = await story.world();
          if (typeof expected === 'string') {
            expect(got, about()).toBe(expected);
            expect(after, about()).toEqual(before);
          } else {
            expect(got, about()).toBe('done');
            expect(after, about()).toEqual(expected);
          }
        }
        for (const direction of ['undo', 'redo'] as const)
          expect(story.history.next(direction) !== null, about()).toBe(model.stacks[direction].length > 0);
      }
    });
  // What is refused is compared where it comes; of few runs it may not.
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['undo done', 'redo done']));
});
