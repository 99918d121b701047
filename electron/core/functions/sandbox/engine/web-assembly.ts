/** What of WebAssembly is used: TypeScript has its types beside those of the DOM alone. */
interface WebAssemblyHere {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number }) => WasmMemory;
}

declare const module: unique symbol;

/** Compiled code. */
export interface WasmModule {
  readonly [module]: true;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export const { Module, Instance, Memory } = (
  globalThis as unknown as { readonly WebAssembly: WebAssemblyHere }
).WebAssembly;
