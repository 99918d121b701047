import { hash, randomInt } from 'node:crypto';

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;

function randomText(): string {
  return Array.from({ length: SECRET_LENGTH }, () => BASE_62[randomInt(BASE_62.length)]).join('');
}

/** A new API key: `fb_` and 40 base-62 characters, 238 bits of chance (docs/api.md, "Access"). */
export const createApiKey = () => `fb_${randomText()}`;

/** A new device token: 40 base-62 characters. */
export const createDeviceToken = () => randomText();

/** What the disk holds of a secret: SHA-256 in hex. No salt or stretching: these secrets cannot be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
