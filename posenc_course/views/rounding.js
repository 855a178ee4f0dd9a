// How the figures of chapter 7 round a coordinate of a tip.

// A coordinate between −1 and 1, left as it is where `soft` is 1 and sent to its nearer end where
// `soft` is 0. A coordinate of 0 is as near to one end as to the other, and stays.
export function softened(value, soft) {
  const size = Math.abs(value);
  return size < 1e-9 ? 0 : value / (soft + (1 - soft) * size);
}
