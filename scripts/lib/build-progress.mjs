import { stripVTControlCharacters } from 'node:util';

/** Bundles of a build, in their order (electron.vite.config.ts). */
const PARTS = ['the service', 'the bridge to the window', 'the app'];
const TICK_MS = 1000;
/** What the builder says as it begins a bundle. */
const BEGINS = /\bbuilding \w+ environment for\b/g;

/**
 * How far a build is: on a terminal one line that is written over, elsewhere a line for each bundle.
 * @param {{ isTTY?: boolean, write(text: string): unknown }} [out]
 * @returns {{ hear: (text: string) => void, end: (isBuilt: boolean) => void }} hear: takes what the builder says
 */
export function showProgress(out = process.stdout) {
  const began = performance.now();
  const isTerminal = out.isTTY === true;
  let heard = '';
  let part = 0;
  const elapsed = () => `${Math.round((performance.now() - began) / 1000)} s`;
  const line = () => `Building … ${part} of ${PARTS.length}: ${PARTS[part - 1]}`;
  // Until the first bundle begins nobody knows which it is.
  const say = () => {
    if (isTerminal) out.write(`\r\x1b[K${part === 0 ? 'Building …' : line()} (${elapsed()})`);
    else out.write(`${part === 0 ? 'Building …' : line()}\n`);
  };
  say();
  const timer = isTerminal ? setInterval(say, TICK_MS) : undefined;
  return {
    hear(text) {
      // It colours its words, and a piece may end in the middle of them.
      heard += text;
      const begun = Math.min(stripVTControlCharacters(heard).match(BEGINS)?.length ?? 0, PARTS.length);
      while (part < begun) {
        part++;
        say();
      }
    },
    end(isBuilt) {
      clearInterval(timer);
      if (isTerminal) out.write('\r\x1b[K');
      if (isBuilt) out.write(`Built in ${elapsed()}.\n`);
    },
  };
}
