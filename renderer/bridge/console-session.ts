import { BROWSER_KEY_HEADER, LET_IN_HEADER, signedText, SIGNATURE_HEADER } from '#shared/bridge/wire.ts';
import { dropBrowserKey, makeBrowserKey, signByBrowserKey } from './browser-key.ts';
import { dropLetInSecret, keepLetInSecret, letInSecret } from './let-in.ts';

/* The session of this browser in the console (docs/api.md, "Access"): to be in, to come back after a restart, to leave. */

/** `out`: the service is there, and this browser needs a fresh link. `away`: nobody says. */
export type Standing = 'in' | 'out' | 'away';

/**
 * Looks whether this browser is let in, and comes back in by its key where the service was started anew: from then on
 * `letInSecret` is a fresh one. Without the secret of a link it was never in, or has left.
 */
export async function comeBackIn(): Promise<Standing> {
  if (letInSecret() === null) return 'out';
  const asked = await ask('GET', './session', withSecret());
  if (asked === null) return 'away';
  if (asked.status !== 200) return asked.ok ? 'in' : asked.status === 403 ? 'out' : 'away';
  const { challenge } = (await asked.json()) as { readonly challenge: string };
  const signature = await signByBrowserKey(signedText(challenge)).catch(() => null);
  if (signature === null) return 'out';
  const answer = await ask('POST', './session', { [SIGNATURE_HEADER]: signature });
  if (answer === null) return 'away';
  if (answer.status !== 200) return 'out';
  const { secret } = (await answer.json()) as { readonly secret: string };
  // It has left meanwhile, in another tab.
  if (letInSecret() === null) return 'out';
  keepLetInSecret(secret);
  return 'in';
}

/**
 * Has this browser, which a link has just let in, come back after a restart. Where it has no place for a key, came another
 * way than by this machine's own address, or the service's disk is full, it goes on, and needs a fresh link then.
 */
export async function stayIn(): Promise<void> {
  try {
    const key = await makeBrowserKey();
    await ask('POST', './session/key', { ...withSecret(), [BROWSER_KEY_HEADER]: key });
  } catch (error) {
    // No WebCrypto by this address, or a private window: as without.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  }
}

/** Ends the session, here and in the service. Rejects where the service did not say so: then it goes on. */
export async function signOut(): Promise<void> {
  const answer = await ask('POST', './session/end', withSecret());
  if (!answer) throw new Error('The service did not answer. This browser is still signed in.');
  if (!answer.ok) throw new Error(`${await wordsOf(answer)} This browser is still signed in.`);
  dropLetInSecret();
  await dropBrowserKey().catch(() => {});
}

/** The service's own words of a refusal. */
async function wordsOf(answer: Response): Promise<string> {
  const said = (await answer.json().catch(() => ({}))) as { readonly message?: string };
  return said.message ?? `The service answered ${answer.status}.`;
}

const withSecret = () => ({ [LET_IN_HEADER]: letInSecret() ?? '' });

const ask = (method: 'GET' | 'POST', url: string, headers: Readonly<Record<string, string>>) =>
  fetch(url, { method, headers, cache: 'no-store' }).catch(() => null);
