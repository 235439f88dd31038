/*
 * Many things are taken in groups, so that what groups are made of is made again only for those in which something has changed.
 */

/** Whether an id ends its group. About every fiftieth does, so another id between them changes one group only. */
export const isLastOfGroup = (id: string): boolean =>
  (id.charCodeAt(id.length - 1) + 7 * id.charCodeAt(id.length - 2)) % 50 === 0;

/** Lists of at most `size` items. */
export const chunks = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
