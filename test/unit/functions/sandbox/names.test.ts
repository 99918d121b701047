import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { EXPORTS, IMPORTS, UNNAMED } from '#core/functions/sandbox/engine/names.ts';

const { resolve } = createRequire(import.meta.url);
const wasm = await readFile(resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
const glue = await readFile(resolve('@jitl/quickjs-wasmfile-release-sync/emscripten-module'), 'utf8');

interface Listed {
  readonly module: string;
  readonly name: string;
}
/** As in lib.dom.d.ts. */
const { WebAssembly: assembly } = globalThis as unknown as {
  readonly WebAssembly: {
    compile(bytes: Uint8Array): Promise<object>;
    readonly Module: {
      imports(module: object): readonly Listed[];
      exports(module: object): readonly Listed[];
    };
  };
};

test('the engine has the names by which it is called', () => {
  const named = Object.fromEntries(
    [...glue.matchAll(/\w\._(\w+)=\w+\.([\w$]+)/g)].map(([, name, short]) => [name, short]),
  );
  for (const [name, short] of Object.entries(EXPORTS)) expect([name, named[name]]).toEqual([name, short]);
});

test('it asks its host for nothing else', async () => {
  const module = await assembly.compile(wasm);
  const asked = assembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
  expect(asked.toSorted()).toEqual(
    Object.values(IMPORTS)
      .map((name) => `a.${name}`)
      .toSorted(),
  );
  const exported = new Set(assembly.Module.exports(module).map(({ name }) => name));
  expect(Object.values(UNNAMED).filter((name) => !exported.has(name))).toEqual([]);
});

test('it is the one whose imports and memory were looked at', () => {
  // Of another version look at names.ts, imports.ts and the places of its data and stack in engine.ts.
  expect(createHash('sha256').update(wasm).digest('hex')).toBe(
    '105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232',
  );
});
