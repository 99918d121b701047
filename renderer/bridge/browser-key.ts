/*
 * The key pair by which this browser comes back into the console after a restart of the service. The private key cannot be
 * read out, not even by this page: IndexedDB keeps it for this host and port.
 */

const DATABASE = 'fieldbench-console';
const STORE = 'keys';
const OWN = 'own';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Makes the pair anew and keeps it; resolves with its public key, SPKI in base64url. Rejects where this browser has no place for one. */
export async function makeBrowserKey(): Promise<string> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const spki = await crypto.subtle.exportKey('spki', pair.publicKey);
  await inStore('readwrite', (store) => store.put(pair.privateKey, OWN));
  return base64Url(spki);
}

/** Resolves with the signature of a text (ECDSA over SHA-256, base64url); null without a key. */
export async function signByBrowserKey(text: string): Promise<string | null> {
  const key: unknown = await inStore('readonly', (store) => store.get(OWN));
  if (!(key instanceof CryptoKey)) return null;
  const hashed = { name: ALGORITHM.name, hash: 'SHA-256' };
  return base64Url(await crypto.subtle.sign(hashed, key, new TextEncoder().encode(text)));
}

export const dropBrowserKey = () => inStore('readwrite', (store) => store.delete(OWN));

async function inStore<T>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore(STORE));
  const database = await resultOf(opening);
  try {
    return await resultOf(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser kept nothing.')));
  });
}

const base64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
