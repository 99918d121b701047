/** Reads XML as strictly as a parser would; throws where it is not well-formed. Returns all elements by name. */
export function elementsOf(
  xml: string,
): readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const open: string[] = [];
  const token = /<(\/?)([A-Za-z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const [whole, closing, name = '', attributes = '', alone, text] = token.exec(xml) ?? [];
    if (whole === undefined) throw new Error(`No XML from ${JSON.stringify(xml.slice(at, at + 60))}`);
    // oxlint-disable-next-line no-control-regex -- what XML 1.0 cannot say
    if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(whole) || !whole.isWellFormed())
      throw new Error('There are characters that XML has no way to say.');
    if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(whole)) throw new Error(`A bare "&" in ${whole}`);
    if (text !== undefined) continue;
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes another element.`);
      continue;
    }
    const pairs = [...attributes.matchAll(/ ([a-zA-Z:-]+)="([^"]*)"/g)];
    found.push({
      name,
      attributes: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value])),
    });
    if (alone !== '/') open.push(name);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed.`);
  return found;
}
