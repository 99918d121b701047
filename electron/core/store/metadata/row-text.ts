/**
 * A row as JSON, however deep it is: JSON.stringify calls itself for each level, and an earlier version, in another
 * process, may have kept more of them than this one has stack for.
 */
export function rowText(row: object): string {
  try {
    return JSON.stringify(row);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepText(row);
  }
}

/** Part still to be written: text as it is, or a value. */
type Part = { readonly text: string } | { readonly value: unknown };

function deepText(whole: object): string {
  const written: string[] = [];
  const left: Part[] = [{ value: whole }];
  for (let part = left.pop(); part; part = left.pop()) {
    if ('text' in part) written.push(part.text);
    else if (typeof part.value !== 'object' || part.value === null) written.push(JSON.stringify(part.value));
    else left.push(...partsOf(part.value).toReversed());
  }
  return written.join('');
}

function partsOf(value: object): Part[] {
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  // Like JSON.stringify: a field without a value is none.
  const entries = Object.entries(value as Record<string, unknown>).filter(([, inner]) => inner !== undefined);
  const inner = entries.flatMap(([name, each], i): Part[] => [
    { text: `${i > 0 ? ',' : ''}${Array.isArray(value) ? '' : `${JSON.stringify(name)}:`}` },
    { value: each },
  ]);
  return [{ text: open ?? '' }, ...inner, { text: close ?? '' }];
}
