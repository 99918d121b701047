import type { KeptCorrection } from '#shared/domain/corrections.ts';
import { parseFormula } from '#shared/domain/formula/derived-formula.ts';
import { keysOfFormula } from '#shared/domain/formula/formula-terms.ts';
import { quote } from '#shared/values/validate.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import { badRequest } from '../../base/errors.ts';
import type { Row, StoredCorrection, StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { mayTouch } from '../authorize.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';

/* What a correction has to be beside the others of its device, and beside other devices. */

type Device = Pick<StoredDevice, 'id'>;
type Of<Kind extends KeptCorrection['kind']> = Extract<KeptCorrection, { readonly kind: Kind }>;
type Identified = Pick<StoredCorrection, 'id' | 'what'>;

/** The corrections of a device by its id: those that it has, or will have. */
type CorrectionsOf = (device_id: string) => Awaitable<readonly Identified[]>;

/**
 * Rejects with a 400 Refusal where a correction cannot stand beside those that there are. `id`: its own. `before`: what it said, for
 * one that is changed: what it goes on saying is not asked again. `principal`: who may see a device that goes before.
 */
export async function checkCorrection(
  tables: Tables,
  device: Device,
  { before = null, ...own }: Identified & { readonly before?: KeptCorrection | null },
  principal: Principal,
): Promise<void> {
  const { what } = own;
  const isAsNow = before !== null && saysBesideOthers(before, what);
  if (what.kind === 'replaced') await requireFormer(tables, device, { what, isAsNow }, principal);
  if (isAsNow) return;
  await checkBeside(tables, device, own, (device_id) => tables.list('corrections', { device_id }));
}

/** Whether two corrections are the same to all others of their device, and to other devices. */
export function saysBesideOthers(a: KeptCorrection, b: KeptCorrection): boolean {
  if (a.kind === 'derived' && b.kind === 'derived') return a.key === b.key && a.of === b.of;
  return a.kind === 'replaced' && b.kind === 'replaced' && a.device_id === b.device_id;
}

/**
 * Rejects with a 400 Refusal where a derived key is there twice or leads back to itself, or a former device is this one, goes before it
 * twice or has it before itself. A former device that is not there is judged by its id.
 */
export async function checkBeside(
  tables: Tables,
  device: Device,
  { id, what }: Identified,
  correctionsOf: CorrectionsOf,
): Promise<void> {
  if (what.kind !== 'derived' && what.kind !== 'replaced') return;
  const others = (await correctionsOf(device.id)).flatMap((row) => (row.id === id ? [] : [row.what]));
  if (what.kind === 'derived') checkDerived(what, ofKind(others, 'derived'));
  else await checkFormer(tables, device, what, ofKind(others, 'replaced'), correctionsOf);
}

const ofKind = <Kind extends KeptCorrection['kind']>(all: readonly KeptCorrection[], kind: Kind) =>
  all.filter((each): each is Of<Kind> => each.kind === kind);

function checkDerived(what: Of<'derived'>, others: readonly Of<'derived'>[]): void {
  if (others.some(({ key }) => key === what.key))
    throw badRequest(`key must be of no other derived key, and ${quote(what.key)} is one already`);
  const way = wayTo(what.key, what, new Map(others.map((each) => [each.key, each])));
  if (way !== null)
    throw badRequest(
      `of must not lead back to its own key: ${[what.key, ...way].map(quote).join(' asks for ')}`,
    );
}

/** Returns the keys from a derived key to one of that name, that one included; null where none leads there. */
function wayTo(
  key: string,
  from: Of<'derived'>,
  derived: ReadonlyMap<string, Of<'derived'>>,
  seen = new Set<string>(),
): readonly string[] | null {
  for (const asked of operandsOf(from)) {
    if (asked === key) return [asked];
    const next = derived.get(asked);
    if (next === undefined || seen.has(asked)) continue;
    seen.add(asked);
    const way = wayTo(key, next, derived, seen);
    if (way !== null) return [asked, ...way];
  }
  return null;
}

/** Operands of formulas that were parsed: a merge asks a thousand times for each. */
const parsed = new WeakMap<Of<'derived'>, readonly string[]>();

function operandsOf(what: Of<'derived'>): readonly string[] {
  const known = parsed.get(what) ?? [...keysOfFormula(parseFormula(what.of))];
  parsed.set(what, known);
  return known;
}

const FORMER_RULE = 'former_id must be the id of another device of this account that is there';

/** `isAsNow`: it is the former device already, and may have been deleted since; what the principal may not see stays out of reach. */
async function requireFormer(
  tables: Tables,
  device: Device,
  { what, isAsNow }: { readonly what: Of<'replaced'>; readonly isAsNow: boolean },
  principal: Principal,
): Promise<void> {
  const project = await projectOf(tables, what.device_id);
  if (project ? mayTouch(principal, project) && (isAsNow || what.device_id !== device.id) : isAsNow) return;
  throw badRequest(
    `${FORMER_RULE}, and that ${principal.project_ids === null ? NOT_THIS_ONE : 'this API key may see'}, got ${quote(what.device_id)}`,
  );
}

const NOT_THIS_ONE = 'is not this one';

async function checkFormer(
  tables: Tables,
  device: Device,
  { device_id: former_id }: Of<'replaced'>,
  others: readonly Of<'replaced'>[],
  correctionsOf: CorrectionsOf,
): Promise<void> {
  if (former_id === device.id)
    throw badRequest(`${FORMER_RULE}, and that ${NOT_THIS_ONE}, got ${quote(former_id)}`);
  const name = (await tables.get('devices', former_id))?.name ?? former_id;
  const before = new Set<string>();
  for (const { device_id } of others) await addHistory(correctionsOf, device_id, before);
  if (before.has(former_id))
    throw badRequest(`former_id must name a device once, and ${quote(name)} goes before this one already`);
  const its = new Set<string>();
  await addHistory(correctionsOf, former_id, its);
  if (its.has(device.id))
    throw badRequest(`former_id must not lead back to this device, and this one goes before ${quote(name)}`);
  const twice = [...its].find((each) => before.has(each));
  if (twice !== undefined)
    throw badRequest(
      `former_id must name a device once, and the device ${quote(twice)} goes before both ${quote(name)} and this one`,
    );
}

/** Resolves with whether a device is there, and none that the principal may see. */
export async function isOutOfReach(
  tables: Tables,
  device_id: string,
  principal: Principal,
): Promise<boolean> {
  const project = await projectOf(tables, device_id);
  return project ? !mayTouch(principal, project) : false;
}

async function projectOf(tables: Tables, device_id: string): Promise<Row<'projects'> | null> {
  const device = await tables.get('devices', device_id);
  return device && (await tables.get('projects', device.project_id));
}

/** Adds a device and all that go before it. */
async function addHistory(
  correctionsOf: CorrectionsOf,
  device_id: string,
  found: Set<string>,
): Promise<void> {
  const left = [device_id];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const all = (await correctionsOf(next)).map(({ what }) => what);
    left.push(...ofKind(all, 'replaced').map((each) => each.device_id));
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
