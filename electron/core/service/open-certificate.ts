import type { Backend } from '../backend/backend.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/logger.ts';
import { checkHost } from '../net/listen.ts';
import { openGivenTls } from '../tls/given-tls.ts';
import type { OwnNames } from '../tls/names.ts';
import { openTls, type TlsFiles } from '../tls/tls.ts';
import { usedKind } from '../vault/kind-record.ts';

const FOLDER = 'tls';
/** Of a start that uses another vault than the data directory does. */
const OTHER_FOLDER = 'tls-memory';
/** The folders of its own certificates in a data directory. */
export const TLS_FOLDERS: readonly string[] = [FOLDER, OTHER_FOLDER];

/**
 * Opens the certificate of the service's doors: the certificate it was given, or one of its own. Throws StartError,
 * VaultError.
 */
export async function openCertificate(
  { host, directory, certificate }: Pick<Config, 'host' | 'directory' | 'certificate'>,
  parts: {
    readonly backend: Pick<Backend, 'vault' | 'tlsKeys' | 'work' | 'ownFiles'>;
    readonly names: () => OwnNames;
    readonly log: Logger;
  },
): Promise<TlsFiles> {
  const { backend, ...common } = parts;
  const { ownFiles: files } = backend;
  await checkHost(host);
  if (certificate) return openGivenTls({ ...certificate, ...common });
  // An authority that ends with this start must not take the place of one that people trust.
  const isOther =
    !backend.work.isShared && (await usedKind({ directory, files }, false)) !== backend.vault.kind;
  const folder = isOther ? OTHER_FOLDER : FOLDER;
  return openTls({ directory, files, folder, host, vault: backend.tlsKeys, ...common });
}
