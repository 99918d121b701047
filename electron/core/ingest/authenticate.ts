import { SOURCE_WORDS, type Source } from '#shared/domain/sources.ts';
import { andThen, type Awaitable } from '../base/awaitable.ts';
import { forbidden, unauthorized } from '../base/errors.ts';
import type { Metadata, ReadOptions } from '../store/metadata/metadata.ts';
import type { Sender } from '../store/metadata/sender.ts';

/**
 * Returns the sender of the token with this hash (vault/secrets.ts); throws, or rejects with, a 401 Refusal where there is
 * none. At once where the metadata are at hand: every upload asks.
 */
export function senderOfToken(metadata: Metadata, hash: string, options?: ReadOptions): Awaitable<Sender> {
  return metadata.read(
    (tables) =>
      andThen(tables.senderByTokenHash(hash), (sender) => {
        if (!sender) throw unauthorized('The device token is unknown or was renewed.');
        return sender;
      }),
    options,
  );
}

/** Throws a 403 Refusal where a device may not store over this source. */
export function requireSource(device: Sender['device'], source: Source): void {
  if (device.source !== source)
    throw forbidden(
      `This device stores data over ${SOURCE_WORDS[device.source].label}; its source is not "${source}".`,
    );
}
