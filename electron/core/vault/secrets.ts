import { hash } from 'node:crypto';
import type { Chance } from '../base/chance.ts';

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;

function randomText(chance: Chance): string {
  const letter = () => BASE_62[Math.floor(chance.number() * BASE_62.length)];
  return Array.from({ length: SECRET_LENGTH }, letter).join('');
}

/** A new API key: `fb_` and 40 base-62 characters, 238 bits of chance (docs/api.md, "Access"). */
export const createApiKey = (chance: Chance) => `fb_${randomText(chance)}`;

/** A new device token: 40 base-62 characters. */
export const createDeviceToken = (chance: Chance) => randomText(chance);

/** Returns the hash of a secret for the disk: SHA-256 in hex. No salt or stretching: these secrets cannot be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
