/** What ends a row: LF, perhaps behind a CR, or, on an old Mac and some loggers, CR alone. */
export type LineEnd = '\n' | '\r';

const FIELD_STARTS = new Set(['\n', '\r', ',', ';', '\t', '|']);

/** Line breaks of a text that stand outside quotes. A quote opens only where a field may begin: 5" pipe opens none. */
function* bareBreaks(text: string): Generator<{ readonly lineEnd: LineEnd; readonly behind: number }> {
  let fieldStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"' && fieldStart) {
      at = closingQuote(text, at);
      if (at === -1) return;
      fieldStart = false;
    } else if (character === '\n' || (character === '\r' && text[at + 1] !== '\n')) {
      yield { lineEnd: character, behind: at + 1 };
      fieldStart = true;
    } else if (character !== ' ') fieldStart = FIELD_STARTS.has(character);
  }
}

/** Where the quote ends that opens at `open`; -1 where it does not. A doubled one stands for itself. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** CR where a text has no LF but CRs between its rows. */
export function guessLineEnd(text: string): LineEnd {
  if (!text.includes('\r')) return '\n';
  let found: LineEnd = '\n';
  for (const { lineEnd } of bareBreaks(text)) {
    if (lineEnd === '\n') return '\n';
    found = lineEnd;
  }
  return found;
}

/** How many rows of a beginning are whole, and where they end. What quotes hold is no row. */
export function wholeRows(text: string): { readonly rows: number; readonly end: number } {
  const wanted = guessLineEnd(text);
  let rows = 0;
  let end = 0;
  for (const { lineEnd, behind } of bareBreaks(text)) {
    if (lineEnd !== wanted) continue;
    rows++;
    end = behind;
  }
  return { rows, end };
}
