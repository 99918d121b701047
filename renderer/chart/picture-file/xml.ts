/* SVG as text. Names come from devices: whatever they hold must neither end an element nor make the file unreadable. */

/** What XML 1.0 has no way to say, also escaped. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const UNSAYABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text as content or as the value of an attribute. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNSAYABLE, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with its content, which is SVG already; attributes that are undefined are left out. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : ` ${key}="${escaped(String(value))}"`,
  );
  const open = `<${name}${written.join('')}`;
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
}

/** A line of text; what is in it cannot turn the direction of what is beside it. */
export function textAt(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return element('text', { x: short(x), y: short(y), ...attributes }, escaped(`\u2068${text}\u2069`));
}

/** What hovering says of the element that it is put into. */
export function titleSvg(text: string): string {
  return element('title', {}, escaped(text));
}

/** A coordinate with two digits behind the point: a hundredth of a pixel. */
export function short(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}

/** About how many pixels wide a text is; there is nothing to measure it with. */
export function widthOf(text: string, size: number): number {
  return text.length * size * 0.58;
}

/** A text that is cut in its middle where it is wider than so many pixels. */
export function fitted(text: string, size: number, pixels: number): string {
  const most = Math.max(3, Math.floor(pixels / (size * 0.58)));
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const after = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - after).join('')}…${characters.slice(characters.length - after).join('')}`;
}
