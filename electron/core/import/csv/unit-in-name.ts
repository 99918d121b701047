/** Units that stand behind a name without brackets, too. */
const BARE =
  /^(.*\S)[,_ ]+(°C|°F|K|%|%RH|hPa|mbar|kPa|Pa|bar|m\/s|km\/h|mm|V|mV|A|mA|W|kW|kWh|lx|lux|ppm|Hz|dBm?|µg\/m³)$/u;
/** A unit in brackets has no more characters (docs/local-api.md, "Key settings"), and no number alone is one. */
const IN_BRACKETS = /^(.*\S)\s*[([{]\s*([^()[\]{}\s\d][^()[\]{}]{0,15}?)\s*[)\]}]$/u;

/** The name of a column and the unit in it: "Temperature (°C)", "Druck hPa"; null where it has none. */
export function unitInName(name: string): { readonly name: string; readonly unit: string } | null {
  const [, short, unit] = IN_BRACKETS.exec(name) ?? BARE.exec(name) ?? [];
  return short === undefined || unit === undefined ? null : { name: short.replace(/,$/, ''), unit };
}
