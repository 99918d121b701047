/** The name after this one, as people count: `PT-108` after `PT-107`, `Boiler 2` after `Boiler`. */
export function nextName(name: string): string {
  const [, before, digits] = /^(.*?)(\d+)$/s.exec(name) ?? [];
  if (before === undefined || digits === undefined || digits.length > 15) return `${name} 2`;
  return before + String(Number(digits) + 1).padStart(digits.length, '0');
}
