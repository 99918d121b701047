/** Values across the wall between the processes, by structured clone. */
export interface Codec {
  /** Throws as Electron does on what cannot be cloned: functions, promises, DOM nodes. */
  readonly encode: (value: unknown) => string;
  readonly decode: (text: string) => unknown;
}

/**
 * The same code on both sides, so it is one function without anything from outside: the page gets its text. What
 * structured clone keeps is kept, typed arrays and NaN too; cycles are not supported and overflow the stack.
 */
export function createCodec(): Codec {
  type Bytes = Uint8Array & { toBase64?(): string };
  type FromBase64 = { fromBase64?(text: string): Uint8Array };
  const toText = (bytes: Bytes) => bytes.toBase64?.() ?? Buffer.from(bytes).toString('base64');
  const fromText = (text: string) =>
    (Uint8Array as FromBase64).fromBase64?.(text) ?? Uint8Array.from(Buffer.from(text, 'base64'));
  const integers = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
  };
  const arrayTypes = { ...integers, Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView };

  const pack = (value: unknown): unknown => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ['number', Object.is(value, -0) ? '-0' : `${value}`];
    }
    if (value === undefined) return ['undefined'];
    if (typeof value === 'bigint') return ['bigint', `${value}`];
    if (Array.isArray(value)) return ['array', value.map(pack)];
    if (value instanceof Date) return ['date', value.getTime()];
    if (value instanceof Map) return ['map', [...value].map(([key, held]) => [pack(key), pack(held)])];
    if (value instanceof Set) return ['set', [...value].map(pack)];
    if (value instanceof Error) return ['error', value.name, value.message];
    if (value instanceof ArrayBuffer) return ['buffer', toText(new Uint8Array(value))];
    if (ArrayBuffer.isView(value)) {
      // With all of the memory behind it, as V8 writes it.
      const { buffer, byteOffset, byteLength } = value;
      const each = 'BYTES_PER_ELEMENT' in value ? (value.BYTES_PER_ELEMENT as number) : 1;
      const part = [byteOffset, byteLength / each];
      return ['view', value.constructor.name, toText(new Uint8Array(buffer as ArrayBuffer)), part];
    }
    const tag = Object.prototype.toString.call(value);
    if (tag !== '[object Object]') throw new Error(`The stand-in does not carry ${tag}.`);
    return ['object', Object.entries(value).map(([key, held]) => [key, pack(held)])];
  };

  const unpack = (packed: unknown): unknown => {
    if (!Array.isArray(packed)) return packed;
    const [type, content, more, part] = packed as [string, never, never, [number, number]];
    switch (type) {
      case 'number':
        return Number(content);
      case 'bigint':
        return BigInt(content);
      case 'array':
        return (content as unknown[]).map(unpack);
      case 'date':
        return new Date(content);
      case 'map':
        return new Map((content as [unknown, unknown][]).map(([key, held]) => [unpack(key), unpack(held)]));
      case 'set':
        return new Set((content as unknown[]).map(unpack));
      case 'error':
        return Object.defineProperty(new Error(more), 'name', { value: content, configurable: true });
      case 'buffer':
        return fromText(content).buffer;
      case 'view':
        return new (arrayTypes[content as keyof typeof arrayTypes] as Uint8ArrayConstructor)(
          fromText(more).buffer as ArrayBuffer,
          ...part,
        );
      case 'object':
        return Object.fromEntries((content as [string, unknown][]).map(([key, held]) => [key, unpack(held)]));
      default:
        return undefined;
    }
  };

  return {
    encode(value) {
      let cloned: unknown;
      try {
        cloned = structuredClone(value);
      } catch {
        throw new Error('An object could not be cloned.');
      }
      return JSON.stringify(pack(cloned));
    },
    decode: (text) => unpack(JSON.parse(text)),
  };
}
