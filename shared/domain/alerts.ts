/** Devices that one answer of `alerts.list` lists beside those asked for, and ids that may be asked for: as many fit into an address. */
export const MOST_ALERTED = 300;
