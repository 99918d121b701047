import { hashOf, type Head } from './chain.ts';
import type { StoredLine, Trail } from './trail.ts';
import { verifyTrail, type Verified } from './verify.ts';

/** Looks at a trail that goes on growing: what comes meanwhile is looked at once more. */
const TRIES = 3;

/** Verifies the trail of a service that is in use. Rejects with StoreError. */
export async function verifyNow(trail: Trail): Promise<Verified> {
  let head = await trail.head();
  for (let left = TRIES; ; left--) {
    const lines = () => (left > 0 ? trail.lines() : upTo(trail.lines(), head));
    const verified = await verifyTrail({ lines, first: trail.first, head });
    const now = await trail.head();
    if (verified.harmed === 0 || now.n === head.n || left === 0) return verified;
    head = now;
  }
}

/** Without what stands behind the last line. */
export async function* upTo(lines: AsyncIterable<StoredLine>, { hash }: Head): AsyncGenerator<StoredLine> {
  for await (const line of lines) {
    yield line;
    if (hashOf(line.text) === hash) return;
  }
}
