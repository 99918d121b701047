/**
 * Names that emscripten-module.wasm of @jitl/quickjs-wasmfile-release-sync gives its exports; its build shortens them, so they are of
 * this one version (test/unit/functions/sandbox/names.test.ts).
 */
export const EXPORTS = {
  malloc: 'v',
  QTS_RuntimeSetMemoryLimit: 'y',
  QTS_RuntimeSetMaxStackSize: 'D',
  QTS_GetUndefined: 'E',
  QTS_NewRuntime: 'K',
  QTS_NewContext: 'N',
  QTS_NewString: '_',
  QTS_GetString: '$',
  QTS_GetPropNumber: 'ia',
  QTS_Call: 'ma',
  QTS_ResolveException: 'na',
  QTS_Eval: 'pa',
  QTS_RuntimeEnableInterruptHandler: 'Fa',
} as const;

/** Names without one of their own in the package's JavaScript: constructors of C, and the stack pointer. */
export const UNNAMED = { construct: 'u', stackRestore: 'Ma', stackSave: 'Oa' } as const;

/** Name of each import, by what Emscripten's JavaScript has it do. */
export const IMPORTS = {
  memory: 'a',
  assertFailed: 'b',
  abort: 'q',
  keepAlive: 'l',
  localTime: 'm',
  setTimer: 'j',
  timeZone: 'n',
  dateNow: 'p',
  growMemory: 'k',
  environment: 'e',
  environmentSizes: 'f',
  closeFile: 'd',
  seekFile: 'o',
  writeFile: 'c',
  exit: 'r',
  callHost: 's',
  shouldInterrupt: 'i',
  loadModule: 'h',
  normalizeModule: 'g',
  freeHostReference: 't',
} as const;
