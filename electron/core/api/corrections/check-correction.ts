import type { KeptCorrection } from '#shared/domain/corrections.ts';
import { parseFormula } from '#shared/domain/derived-formula.ts';
import { keysOfFormula } from '#shared/domain/formula-terms.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { mayTouch } from '../authorize.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';

/* What a correction has to be beside the others of its device, and beside other devices. */

type Device = Pick<StoredDevice, 'id'>;
type Of<Kind extends KeptCorrection['kind']> = Extract<KeptCorrection, { readonly kind: Kind }>;

/**
 * Rejects with a 400 Refusal where a correction cannot stand beside those that there are. `id`: its own, for one that is changed.
 * `principal`: who may see a device that goes before.
 */
export async function checkCorrection(
  tables: Tables,
  device: Device,
  { id, what }: { readonly id: string; readonly what: KeptCorrection },
  principal: Principal,
): Promise<void> {
  if (what.kind !== 'derived' && what.kind !== 'replaced') return;
  const rows = await tables.list('corrections', { device_id: device.id });
  const others = rows.flatMap((row) => (row.id === id ? [] : [row.what]));
  if (what.kind === 'derived') checkDerived(what, ofKind(others, 'derived'));
  else await checkFormer(tables, device, what, ofKind(others, 'replaced'), principal);
}

const ofKind = <Kind extends KeptCorrection['kind']>(all: readonly KeptCorrection[], kind: Kind) =>
  all.filter((each): each is Of<Kind> => each.kind === kind);

function checkDerived(what: Of<'derived'>, others: readonly Of<'derived'>[]): void {
  if (others.some(({ key }) => key === what.key))
    throw badRequest(`key must be of no other derived key, and ${quote(what.key)} is one already`);
  const formulas = new Map(others.map(({ key, of }) => [key, of]));
  const way = wayTo(what.key, what.of, formulas);
  if (way !== null)
    throw badRequest(
      `of must not lead back to its own key: ${[what.key, ...way].map(quote).join(' asks for ')}`,
    );
}

/** Returns the keys from a formula to one of the derived keys, that one included; null where none leads there. */
function wayTo(
  key: string,
  formula: string,
  formulas: ReadonlyMap<string, string>,
  seen = new Set<string>(),
): readonly string[] | null {
  for (const asked of keysOfFormula(parseFormula(formula))) {
    if (asked === key) return [asked];
    const next = formulas.get(asked);
    if (next === undefined || seen.has(asked)) continue;
    seen.add(asked);
    const way = wayTo(key, next, formulas, seen);
    if (way !== null) return [asked, ...way];
  }
  return null;
}

const FORMER_RULE = 'former_id must be the id of another device of this account that is there';

async function checkFormer(
  tables: Tables,
  device: Device,
  what: Of<'replaced'>,
  others: readonly Of<'replaced'>[],
  principal: Principal,
): Promise<void> {
  const former = await tables.get('devices', what.device_id);
  const project = former && (await tables.get('projects', former.project_id));
  if (!former || !project || !mayTouch(principal, project) || former.id === device.id)
    throw badRequest(
      `${FORMER_RULE}, and that ${principal.project_ids === null ? 'is not this one' : 'this API key may see'}, got ${quote(what.device_id)}`,
    );
  const before = new Set<string>();
  for (const { device_id } of others) await addHistory(tables, device_id, before);
  if (before.has(former.id))
    throw badRequest(
      `former_id must name a device once, and ${quote(former.name)} goes before this one already`,
    );
  const its = new Set<string>();
  await addHistory(tables, former.id, its);
  if (its.has(device.id))
    throw badRequest(
      `former_id must not lead back to this device, and this one goes before ${quote(former.name)}`,
    );
  const twice = [...its].find((each) => before.has(each));
  if (twice !== undefined)
    throw badRequest(
      `former_id must name a device once, and the device ${quote(twice)} goes before both ${quote(former.name)} and this one`,
    );
}

/** Resolves with whether a device is there, and none that the principal may see. */
export async function isOutOfReach(
  tables: Tables,
  device_id: string,
  principal: Principal,
): Promise<boolean> {
  const former = await tables.get('devices', device_id);
  const project = former && (await tables.get('projects', former.project_id));
  return project ? !mayTouch(principal, project) : false;
}

/** Adds a device and all that go before it. */
async function addHistory(tables: Tables, device_id: string, found: Set<string>): Promise<void> {
  const left = [device_id];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const rows = await tables.list('corrections', { device_id: next });
    left.push(
      ...ofKind(
        rows.map(({ what }) => what),
        'replaced',
      ).map((each) => each.device_id),
    );
  }
}

/** Rejects with a 400 Refusal where a derived key has the name of one that the device has stored. */
export async function requireNoStoredKey(
  what: KeptCorrection | null,
  { id }: Device,
  { records }: Pick<Context, 'records'>,
  signal?: AbortSignal,
): Promise<void> {
  if (what?.kind !== 'derived' || !(await records.keys(id, signal)).includes(what.key)) return;
  throw badRequest(`key must not be one that the device has stored, got ${quote(what.key)}`);
}
