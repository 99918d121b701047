import { Pace } from '../turns/pace.ts';

/** Characters of a piece; most lists are less. */
const PIECE_CHARS = 1 << 18;
/** Of a text that grows item by item V8 keeps the items, and walks over all of them to write it: 3 times as long from here on. */
const TEXT_CHARS = 1 << 14;

/**
 * A list as JSON, in pieces: each of its items is small, but a project may have so many functions that all of them in one
 * go would hold everyone up. Takes turns between pieces.
 */
export async function* listJson(items: readonly unknown[]): AsyncGenerator<Buffer, void, undefined> {
  const pace = new Pace();
  let written: Buffer[] = [];
  let chars = 0;
  let text = '[';
  for (const [i, item] of items.entries()) {
    text += `${i === 0 ? '' : ','}${JSON.stringify(item)}`;
    if (text.length < TEXT_CHARS) continue;
    written.push(Buffer.from(text));
    chars += text.length;
    text = '';
    if (chars < PIECE_CHARS) continue;
    yield Buffer.concat(written);
    written = [];
    chars = 0;
    await pace.pause();
  }
  yield Buffer.concat([...written, Buffer.from(`${text}]`)]);
}
