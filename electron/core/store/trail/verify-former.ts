import { countOf } from '#shared/values/counts.ts';
import { anchorsIn } from './anchors.ts';
import { NO_LINES } from './chain.ts';
import { hashesIn, type FormerTrails } from './former-trails.ts';
import type { Finding } from './judge.ts';
import type { FormerTrail, StoredLine, Trail } from './trail.ts';
import { MOST_FINDINGS, verifyTrail, type Verified } from './verify.ts';

/** The same, and how many former trails were looked at; what is harmed of these is among the findings. */
export interface VerifiedAll extends Verified {
  readonly former: number;
}

/** Of a database, which no restore brings any to. */
export const NO_FORMER_TRAILS: Pick<FormerTrails, 'list' | 'staged' | 'open'> = {
  list: [],
  staged: [],
  open: () => ({ head: () => NO_LINES, first: 1, lines: nothing, linesBack: nothing }),
};

async function* nothing(): AsyncGenerator<StoredLine> {
  yield* [];
}

/**
 * Looks at the former trails beside what was found of the own one: each has to end where the entry of its restore says, and each that an
 * entry tells of has to be there. Rejects with StoreError.
 */
export async function verifyFormer(
  own: Pick<Trail, 'lines' | 'first'>,
  verified: Verified,
  former: Pick<FormerTrails, 'list' | 'staged' | 'open'>,
): Promise<VerifiedAll> {
  const anchors = await anchorsIn(own);
  const anchored = new Set(anchors.map(({ hash }) => hash));
  const isAnchored = ({ hash }: FormerTrail) => anchored.has(hash);
  const trails = [...former.list, ...former.staged.filter(isAnchored)];
  const findings: Finding[] = [];
  const there = new Set(trails.map(({ hash }) => hash));
  // A longer trail took their place.
  const within = anchors.filter(({ hash }) => !there.has(hash));
  for (const trail of trails) {
    const opened = former.open(trail);
    const { findings: found, harmed } = await verifyTrail({
      ...opened,
      lines: () => opened.lines(),
      head: trail,
    });
    findings.push(...found.map((each) => ({ ...each, message: `Of ${called(trail)}: ${each.message}` })));
    const more = harmed - found.length;
    if (more > 0) findings.push(whole(trail, 'changed', `${countOf(more, 'finding')} more.`));
    // Of memory the entry may be gone.
    if (!isAnchored(trail) && verified.first === 1)
      findings.push(whole(trail, 'added', 'no entry tells of the restore that brought it.'));
    for (const hash of await hashesIn(opened, within)) there.add(hash);
  }
  for (const anchor of anchors)
    if (!there.has(anchor.hash))
      findings.push(whole(anchor, 'missing', `it is missing; entry ${anchor.entry} tells of it.`));
  const all = [...verified.findings, ...findings];
  return {
    ...verified,
    harmed: verified.harmed + findings.length,
    findings: all.slice(0, MOST_FINDINGS),
    former: trails.length,
  };
}

const called = ({ n, hash }: FormerTrail) =>
  `the former trail that ends with entry ${n} (${hash.slice(0, 12)}…)`;

const whole = (trail: FormerTrail, harm: Finding['harm'], what: string): Finding => ({
  harm,
  from: trail.first,
  to: trail.n,
  place: null,
  message: `Of ${called(trail)}: ${what}`,
});
