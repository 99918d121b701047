import type { Device } from '#shared/schema/schemas.ts';

/** Word of devices for an unknown brand or model. */
const UNSAID = 'Custom';

/** Returns a given brand or model; empty for none. */
export const saidOf = (text = '') => (text === UNSAID ? '' : text);

/** Brand and model as far as they are known: "Acme T10". */
export const makerOf = ({ brand, model }: Pick<Device, 'brand' | 'model'>) =>
  [saidOf(brand), saidOf(model)].filter(Boolean).join(' ');
