/** Divides what would be too much for one request to the server, which answers nobody else meanwhile. */
export function toBatches<T>(all: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, index) =>
    all.slice(index * most, (index + 1) * most),
  );
}
