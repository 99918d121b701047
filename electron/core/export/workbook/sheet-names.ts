/** Characters of a name of a sheet at most, and those it must not have; "History" is Excel's own (its help, "Rename a worksheet"). */
const MOST_CHARACTERS = 31;
// oxlint-disable-next-line no-control-regex -- control characters are among them
const REFUSED = /[\\/?*[\]:\u0000-\u001f\ufffe\uffff]+/g;
const RESERVED = 'history';

/** Names of sheets that Excel takes, each one once, whatever its case: `Größe`, `Größe (2)`. */
export class SheetNames {
  readonly #taken = new Set([RESERVED]);

  /** Returns the name of a further sheet of what is called so. */
  take(wanted: string): string {
    const clean = wanted.toWellFormed().replace(REFUSED, '-').trim();
    // An apostrophe stands around names in formulas.
    const stem = cut(clean, MOST_CHARACTERS).replace(/^'+|'+$/g, '') || 'Sheet';
    let name = stem;
    for (let number = 2; this.#taken.has(folded(name)); number++) {
      const ending = ` (${number})`;
      name = cut(stem, MOST_CHARACTERS - ending.length) + ending;
    }
    this.#taken.add(folded(name));
    return name;
  }
}

const folded = (name: string) => name.toUpperCase().toLowerCase();

/** As many whole characters as there is room for. */
function cut(text: string, most: number): string {
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > most) break;
    kept += character;
  }
  return kept.trimEnd();
}
