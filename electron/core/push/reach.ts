import { badRequest, Refusal } from '../base/errors.ts';
import { readAddress, type Address } from '../remote/address.ts';
import { probeCertificate } from '../remote/certificate-probe.ts';
import type { OtherServices } from '../remote/other-services.ts';
import type { Profile } from '../remote/profiles.ts';
import { readCertificate } from '../remote/trust.ts';

/** Choice of the lab of a push: by the name or id of a known service, or by address and key. */
export interface GivenLab {
  readonly service?: string | undefined;
  readonly to?: string | undefined;
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
  readonly fingerprint?: string | undefined;
}

/** Access to a lab. */
export interface Reach {
  /** Its address as it was given. */
  readonly to: string;
  readonly address: Address;
  /** The certificate as PEM; null: whom this machine trusts. Rejects with a 400 Refusal, or with RemoteError. */
  readonly keyAndCertificate: (
    signal: AbortSignal,
  ) => Promise<{ readonly key: string; readonly certificate: string | null }>;
}

/** Throws a Refusal: 400 where it is said twice or not at all, 403 where nothing may be changed there from here. */
export function reachOf(given: GivenLab, known: OtherServices): Reach {
  const { service, to, key } = given;
  if (service !== undefined) {
    const twice = (['to', 'key', 'ca', 'fingerprint'] as const).find((name) => given[name] !== undefined);
    if (twice !== undefined)
      throw badRequest(`${twice} must be absent where service names the lab: that has its own.`);
    const profile = profileOf(service, known);
    return {
      to: profile.address,
      address: readAddress(profile.address),
      keyAndCertificate: async () => ({
        key: await known.keyOf(profile),
        certificate: profile.certificate,
      }),
    };
  }
  if (to === undefined)
    throw badRequest('to must be the address of a Fieldbench, or service name a known one');
  if (key === undefined) throw badRequest('key must be an API key of the lab');
  const address = readAddress(to, 'to');
  return {
    to,
    address,
    keyAndCertificate: async (signal) => ({ key, certificate: await trusted(given, address, signal) }),
  };
}

/** Throws as `reachOf` does. */
function profileOf(service: string, known: OtherServices): Profile {
  const [profile, ...others] = known.named(service);
  if (!profile)
    throw badRequest(
      `service must be the name or id of one of Other services, got ${JSON.stringify(service)}`,
    );
  if (others.length > 0)
    throw badRequest(
      `service must name one of Other services: ${others.length + 1} are called ${JSON.stringify(service)}; give its id, one of ${[profile, ...others].map(({ id }) => id).join(', ')}`,
    );
  if (profile.read_only)
    throw new Refusal(
      403,
      `"${profile.name}" is read-only: nothing is changed there from here. Edit it under Other services to push.`,
    );
  return profile;
}

/** The certificate to believe, PEM: the given one, or that of the lab's chain which has the fingerprint; null: as this machine. */
async function trusted(
  { ca, fingerprint }: GivenLab,
  address: Address,
  signal: AbortSignal,
): Promise<string | null> {
  if (ca !== undefined) return readCertificate(ca, 'ca');
  if (fingerprint === undefined || address.isPlain) return null;
  const { chain } = await probeCertificate(address, signal);
  const wanted = fingerprint.replaceAll(':', '').toUpperCase();
  const found = chain.find((one) => one.fingerprint.replaceAll(':', '') === wanted);
  if (found) return found.certificate;
  const shown = chain.map((one) => one.fingerprint).join(', ');
  throw badRequest(`fingerprint must be of a certificate of the lab, got ${fingerprint}; it shows ${shown}`);
}
