import { parseJson } from '#shared/values/json.ts';
import type { Keychain } from './keychain.ts';

/*
 * Device tokens in a keychain, many to an entry: keychains are slow by the entry (1,000 of them take gnome-keyring
 * 19 s) and Windows limits an entry to 2,560 bytes (CRED_MAX_CREDENTIAL_BLOB_SIZE), which holds 30 devices. A pack is a
 * JSON object of device ids and tokens; a project's packs are numbered from 1. There is no index that could disagree
 * with them: they are read once to learn which device is where. Only that stays in memory, no secret.
 */

const PACK_BYTES = 2560;

/** How many missing packs in a row end the reading: people may delete an entry in their keychain's window. */
const LOOK_AHEAD = 4;

interface Known {
  readonly bytes: number;
  readonly devices: readonly string[];
}

/** The packs of one project. One writer at a time. */
export class TokenPacks {
  readonly #keychain: Keychain;
  readonly #service: string;
  readonly #packs = new Map<number, Known>();
  readonly #packOf = new Map<string, number>();

  private constructor(keychain: Keychain, service: string) {
    this.#keychain = keychain;
    this.#service = service;
  }

  static async open(keychain: Keychain, service: string): Promise<TokenPacks> {
    const packs = new TokenPacks(keychain, service);
    for (let pack = 1, missing = 0; missing < LOOK_AHEAD; pack++) {
      const text = await keychain.get(service, String(pack));
      missing = text === null ? missing + 1 : 0;
      if (text !== null) packs.#remember(pack, text);
    }
    return packs;
  }

  async get(device_id: string): Promise<string | null> {
    const pack = this.#packOf.get(device_id);
    return pack === undefined ? null : ((await this.#read(pack)).get(device_id) ?? null);
  }

  /** Keeps or deletes (null) tokens: each pack they touch is written once. */
  async change(tokens: ReadonlyMap<string, string | null>): Promise<void> {
    for (const [pack, changes] of this.#plan(tokens)) {
      const content = this.#packs.has(pack) ? await this.#read(pack) : new Map<string, string>();
      for (const [device_id, token] of changes) {
        if (token === null) content.delete(device_id);
        else content.set(device_id, token);
      }
      const text = JSON.stringify(Object.fromEntries(content));
      await this.#keychain.set(this.#service, String(pack), text);
      this.#remember(pack, text);
    }
    await this.#removeLastWhile((known) => known.devices.length === 0);
  }

  async removeAll(): Promise<void> {
    await this.#removeLastWhile(() => true);
  }

  /** From the last one down, so that a crash leaves no gap in the numbers. */
  async #removeLastWhile(condition: (known: Known) => boolean): Promise<void> {
    for (const [pack, known] of [...this.#packs].toSorted(([a], [b]) => b - a)) {
      if (!condition(known)) return;
      await this.#keychain.delete(this.#service, String(pack));
      this.#forget(pack);
    }
  }

  /** The changes by pack: a known device stays in its own, a new one goes where there is room. */
  #plan(tokens: ReadonlyMap<string, string | null>): Map<number, Map<string, string | null>> {
    const plan = new Map<number, Map<string, string | null>>();
    const sizes = new Map([...this.#packs].map(([pack, { bytes }]) => [pack, bytes]));
    for (const [device_id, token] of tokens) {
      let pack = this.#packOf.get(device_id);
      if (pack === undefined) {
        if (token === null) continue;
        const bytes = Buffer.byteLength(JSON.stringify({ [device_id]: token }));
        pack = roomFor(bytes, sizes);
        sizes.set(pack, (sizes.get(pack) ?? 0) + bytes);
      }
      const changes = plan.get(pack) ?? new Map<string, string | null>();
      plan.set(pack, changes.set(device_id, token));
    }
    return plan;
  }

  async #read(pack: number): Promise<Map<string, string>> {
    return tokensOf((await this.#keychain.get(this.#service, String(pack))) ?? '');
  }

  #remember(pack: number, text: string): void {
    this.#forget(pack);
    const devices = [...tokensOf(text).keys()];
    for (const device_id of devices) this.#packOf.set(device_id, pack);
    this.#packs.set(pack, { bytes: Buffer.byteLength(text), devices });
  }

  #forget(pack: number): void {
    for (const device_id of this.#packs.get(pack)?.devices ?? []) this.#packOf.delete(device_id);
    this.#packs.delete(pack);
  }
}

/** The first pack with room for this many bytes more. */
function roomFor(bytes: number, sizes: ReadonlyMap<number, number>): number {
  let pack = 1;
  while ((sizes.get(pack) ?? 0) + bytes > PACK_BYTES && sizes.has(pack)) pack++;
  return pack;
}

/** A pack that is gone or unreadable holds nothing: its tokens are lost, and new ones can be issued. */
function tokensOf(text: string): Map<string, string> {
  try {
    return new Map(Object.entries(parseJson(text) as Record<string, string>));
  } catch {
    return new Map();
  }
}
