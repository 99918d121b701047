import { EventEmitter } from 'node:events';

type Source = 'system' | 'light' | 'dark';
const SOURCES: readonly unknown[] = ['system', 'light', 'dark'];

/** electron.nativeTheme, over a desktop that is light. What is chosen is what pages see, too (electron/docs/api/native-theme.md). */
class NativeTheme extends EventEmitter {
  #source: Source = 'system';

  get themeSource(): Source {
    return this.#source;
  }

  set themeSource(source: Source) {
    if (!SOURCES.includes(source)) throw new TypeError(`Error processing argument: ${source}`);
    if (source === this.#source) return;
    this.#source = source;
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
}

export const nativeTheme = new NativeTheme();
