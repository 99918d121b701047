/** Range of values. */
export interface Scale {
  readonly least: number;
  readonly most: number;
  /** Whether curves lie beyond it, and run along its edge. */
  readonly isCut?: true;
}

/** The usual span takes at least this part of a scale. */
const USUAL_PART = 0.25;

/** Returns what holds both; one that is not known yet adds nothing. */
export function widened(scale: Scale | null, by: Scale): Scale {
  if (scale === null) return { least: by.least, most: by.most };
  if (by.least >= scale.least && by.most <= scale.most) return scale;
  return { least: Math.min(scale.least, by.least), most: Math.max(scale.most, by.most) };
}

/**
 * The scale on which the curves of all devices are drawn: it holds them all, unless those that are unlike the others would press
 * the others flat; theirs run along the edge then. Null without any.
 */
export function commonScale(all: Iterable<Scale & { readonly isUnlike: boolean }>): Scale | null {
  let whole: Scale | null = null;
  let usual: Scale | null = null;
  for (const each of all) {
    whole = widened(whole, each);
    if (!each.isUnlike) usual = widened(usual, each);
  }
  if (!whole || !usual) return whole;
  const span = usual.most - usual.least;
  if (span === 0 || span >= (whole.most - whole.least) * USUAL_PART) return whole;
  const beside = (span / USUAL_PART - span) / 2;
  return {
    least: Math.max(whole.least, usual.least - beside),
    most: Math.min(whole.most, usual.most + beside),
    isCut: true,
  };
}
