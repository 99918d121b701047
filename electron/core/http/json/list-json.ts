import { Pace } from '../../turns/pace.ts';

/** Characters of a piece; most lists are less. */
const PIECE_CHARS = 1 << 18;
/** Items that are written at once, in which ten thousand small ones take half the time. */
const TOGETHER = 32;
/** Of a text that grows part by part V8 keeps the parts, and walks over all of them to write it: 3 times as long from here on. */
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
  for (let at = 0; at < items.length; at += TOGETHER) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(items.slice(at, at + TOGETHER)).slice(1, -1)}`;
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
