import { canonicalJson } from '../../store/trail/canonical.ts';
import type { Entry } from '../../store/trail/entry.ts';
import { readEntry } from '../../store/trail/read-line.ts';
import type { FormerTrails } from '../../store/trail/former-trails.ts';
import type { Trail } from '../../store/trail/trail.ts';
import { Pace } from '../../turns/pace.ts';

/**
 * The part of the audit trail that is about some devices, earliest first. A line that names none but them is as it is kept, so that it
 * can be compared with the whole trail. What one that names others, too, says of its rows is left out, since it may be of those.
 */
export async function* trailPart(
  trail: Pick<Trail, 'lines'>,
  devices: ReadonlySet<string>,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const pace = new Pace();
  for await (const { text } of trail.lines()) {
    if (await pace.pause()) signal?.throwIfAborted();
    const entry = readEntry(text);
    const named = entry?.devices ?? [];
    if (!entry || !named.some(({ id }) => devices.has(id))) continue;
    yield named.every(({ id }) => devices.has(id)) ? text : canonicalJson(withoutOthers(entry, devices));
  }
}

/** A part of a former trail, and the SHA-256 of that trail's last line. */
interface FormerPart {
  readonly sha256: string;
  readonly lines: () => AsyncGenerator<string>;
}

/**
 * Parts of former trails, which restores brought: what was done to devices where they were before. Resolves with those of trails that
 * have lines about the devices.
 */
export async function formerParts(
  former: Pick<FormerTrails, 'list' | 'open'>,
  devices: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly FormerPart[]> {
  const parts: FormerPart[] = [];
  for (const trail of former.list) {
    const lines = () => trailPart(former.open(trail), devices, signal);
    const first = lines();
    const { done } = await first.next();
    await first.return(undefined);
    if (done !== true) parts.push({ sha256: trail.hash, lines });
  }
  return parts;
}

function withoutOthers(
  { n, at, by, operation, outcome, devices: named = [], reason }: Entry,
  devices: ReadonlySet<string>,
): object {
  const own = named.filter(({ id }) => devices.has(id));
  return {
    n,
    at,
    by,
    operation,
    outcome,
    devices: own,
    other_devices: named.length - own.length,
    ...(reason !== undefined && { reason }),
  };
}
