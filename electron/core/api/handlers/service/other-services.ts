import { X509Certificate } from 'node:crypto';
import { badRequest } from '../../../base/errors.ts';
import { readAddress } from '../../../remote/address.ts';
import { RemoteError } from '../../../remote/failure.ts';
import { probeCertificate, describeCertificate } from '../../../remote/certificate-probe.ts';
import { readCertificate } from '../../../remote/trust.ts';
import { requireOwner } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';

export const otherServiceHandlers: HandlersOf<'other-services'> = {
  'other-services.list'({ principal }, { otherServices }) {
    requireOwner(principal);
    return { data: otherServices.list() };
  },

  async 'other-services.look'({ input, principal, signal }) {
    requireOwner(principal);
    const address = readAddress(input.address);
    try {
      const { trusted, chain } = await probeCertificate(address, signal);
      return { data: { address: address.url, is_plain: address.isPlain, trusted, chain: [...chain] } };
    } catch (error) {
      if (error instanceof RemoteError) throw badRequest(error.message);
      throw error;
    }
  },

  'other-services.read-certificate'({ input, principal }) {
    requireOwner(principal);
    return { data: describeCertificate(new X509Certificate(readCertificate(input.certificate))) };
  },

  async 'other-services.create'({ input, principal, signal }, { otherServices }) {
    requireOwner(principal);
    return { data: await otherServices.create(input, signal) };
  },

  async 'other-services.update'({ input, principal, signal }, { otherServices }) {
    requireOwner(principal);
    const { service_id, ...change } = input;
    return { data: await otherServices.update(service_id, change, signal) };
  },

  async 'other-services.remove'({ input: { service_id }, principal }, { otherServices }) {
    requireOwner(principal);
    await otherServices.remove(service_id);
    return { data: { id: service_id } };
  },
};
