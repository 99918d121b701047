/** Scripts as people write them to read what their devices send: where mutations begin. */
export const DECODERS: readonly string[] = [
  `function f(input) {
  var bytes = input.bytes;
  var data = {};
  for (var i = 0; i + 2 < bytes.length; ) {
    var channel = bytes[i++];
    var type = bytes[i++];
    switch (type) {
      case 0x67: data['temperature_' + channel] = (((bytes[i++] << 8) | bytes[i++]) << 16 >> 16) / 10; break;
      case 0x68: data['humidity_' + channel] = bytes[i++] / 2; break;
      case 0x02: data['analog_' + channel] = ((bytes[i++] << 8) | bytes[i++]) / 100; break;
      default: return { errors: ['unknown type ' + type] };
    }
  }
  return { data: data, warnings: [] };
}`,
  `const readUInt = (bytes) => bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
const readInt16 = (b, at) => { const n = (b[at] << 8) + b[at + 1]; return n > 0x7fff ? n - 0x10000 : n; };
function f({ bytes, fPort }) {
  if (fPort !== 2) throw new Error(\`port \${fPort} is not known\`);
  const view = new DataView(new Uint8Array(bytes).buffer);
  const [status, ...rest] = bytes;
  return {
    data: {
      battery: (2000 + 10 * (status & 0x7f)) / 1000,
      alarm: Boolean(status & 0x80),
      temperature: view.getInt16(1, true) / 256,
      outside: readInt16(bytes, 3) / 100,
      count: readUInt(rest.slice(4, 8)),
    },
  };
}`,
  `class Reader {
  #at = 0;
  constructor(bytes) { this.bytes = bytes; }
  u8() { return this.bytes[this.#at++] ?? 0; }
  u16() { return this.u8() * 256 + this.u8(); }
  get left() { return this.bytes.length - this.#at; }
}
function f(input) {
  const reader = new Reader(input.bytes);
  const readings = new Map();
  while (reader.left >= 3) readings.set(reader.u8().toString(16).padStart(2, '0'), reader.u16());
  return Object.fromEntries([...readings].sort(([a], [b]) => (a < b ? -1 : 1)));
}`,
  `var units = ["C", "F", "%"];
function hex(bytes) { return bytes.map(function (b) { return ('0' + (b & 0xff).toString(16)).slice(-2); }).join(''); }
function f(input) {
  var text = String.fromCharCode.apply(null, input.bytes);
  var match = /^([A-Z]+)[:=]\\s*(-?\\d+(?:\\.\\d+)?)([CF%])?$/.exec(text);
  if (match === null) return { raw: hex(input.bytes), at: new Date(input.recvTime).toISOString() };
  console.log('read', match);
  return { [match[1].toLowerCase()]: parseFloat(match[2]), unit: units.indexOf(match[3]) };
}`,
  `function bits(bytes, from, count) {
  let value = 0n;
  for (let bit = from; bit < from + count; bit++) value = (value << 1n) | BigInt((bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
  return Number(BigInt.asUintN(64, value));
}
function f(input) {
  const fields = [['kind', 4], ['level', 12], ['flag', 1], ['time', 31]];
  let at = 0;
  const out = {};
  for (const [name, count] of fields) { out[name] = bits(input.bytes, at, count); at += count; }
  out.time = new Date((out.time >>> 0) * 1000).toJSON();
  return JSON.parse(JSON.stringify(out, (key, value) => (value === null ? undefined : value)));
}`,
];
