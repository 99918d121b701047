import { z } from 'zod';
import { Pace } from '../../turns/pace.ts';
import { readEntry } from './read-line.ts';
import { fromTold, toldTrail, type FormerTrail, type Trail } from './trail.ts';

/* Anchors: entries of a trail that say which former trails a restore brought, and where those end. */

/** Field of the facts of such an entry. */
const FIELD = 'former_trails';

const facts = z.object({
  [FIELD]: z.array(z.object({ first: z.int().min(1), last: z.int().min(1), sha256: z.string() })),
});

/** Facts of a restore about the former trails that it brings. */
export const anchorFacts = (trails: readonly FormerTrail[]): z.output<typeof facts> => ({
  [FIELD]: trails.map(toldTrail),
});

/** Former trail, and the entry that anchors it. */
interface Anchor extends FormerTrail {
  readonly entry: number;
}

/** Reads every line, in slices of time. Rejects with StoreError. */
export async function anchorsIn(trail: Pick<Trail, 'lines'>): Promise<Anchor[]> {
  const pace = new Pace();
  const found: Anchor[] = [];
  for await (const { text } of trail.lines()) {
    await pace.pause();
    if (!text.includes(FIELD)) continue;
    const entry = readEntry(text);
    if (entry?.operation !== 'backup.restore' || entry.outcome !== 'done') continue;
    const read = facts.safeParse(entry.facts);
    for (const told of read.data?.[FIELD] ?? []) found.push({ ...fromTold(told), entry: entry.n });
  }
  return found;
}
