/** Something that was seen in a file: how often, and where first. */
export interface Seen {
  count: number;
  first: { readonly text: string; readonly line: number } | null;
}

export const notSeen = (): Seen => ({ count: 0, first: null });

export function see(seen: Seen, text: string, line: number): void {
  seen.first ??= { text, line };
  seen.count++;
}
