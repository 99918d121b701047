/**
 * Returns numbers of lanes that Citus deals evenly: for each of `count` even ranges of its hash space, in their order, the lowest
 * that lies in it. So each of its shards has the same number of them, one behind the other, where their number divides `count`.
 * `count`: a power of two.
 */
export function evenLanes(count: number): readonly number[] {
  const lanes = new Map<number, number>();
  for (let lane = 0; lanes.size < count; lane++) {
    const range = Math.floor((hashInt4(lane) + 2 ** 31) / (2 ** 32 / count));
    if (!lanes.has(range)) lanes.set(range, lane);
  }
  return [...lanes].toSorted(([a], [b]) => a - b).map(([, lane]) => lane);
}

/**
 * Returns what PostgreSQL's `hashint4` does, by which Citus finds the shard of a lane: a signed 32-bit integer. It is
 * hash_bytes_uint32 of https://github.com/postgres/postgres/blob/master/src/common/hashfn.c (the end of Bob Jenkins' lookup3).
 */
function hashInt4(value: number): number {
  const start = 0x9e3779b9 + 4 + 3923095;
  let [a, b, c] = [(start + value) | 0, start | 0, start | 0];
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}

const rotate = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by));
