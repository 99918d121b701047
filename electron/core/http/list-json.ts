import { Pace } from '../turns/pace.ts';

/** Characters of a piece; most lists are less. */
const PIECE_CHARS = 1 << 18;

/**
 * A list as JSON, in pieces: each of its items is small, but a project may have so many functions that all of them in one
 * go would hold everyone up. Takes turns between pieces.
 */
export async function* listJson(items: readonly unknown[]): AsyncGenerator<Buffer, void, undefined> {
  const pace = new Pace();
  let text = '[';
  for (const [i, item] of items.entries()) {
    text += `${i === 0 ? '' : ','}${JSON.stringify(item)}`;
    if (text.length < PIECE_CHARS) continue;
    yield Buffer.from(text);
    text = '';
    await pace.pause();
  }
  yield Buffer.from(`${text}]`);
}
