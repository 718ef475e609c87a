import type { Association, Definition, Nodes, Root } from 'mdast';

/** Which definition each reference of a text means, and which definitions nothing refers to. */
export interface References {
  find(identifier: string): Definition | undefined;
  isUsed(definition: Definition): boolean;
}

/** The label as written; the identifier is its lower case. */
export function labelOf({ label, identifier }: Association): string {
  return label ?? identifier;
}

/** Of several definitions with one label the first counts (CommonMark §4.7). */
export function collectReferences(trees: readonly Root[]): References {
  const definitions = new Map<string, Definition>();
  const wanted = new Set<string>();
  const waiting: Nodes[] = trees.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'linkReference' || node.type === 'imageReference') wanted.add(node.identifier);
    if ('children' in node) waiting.push(...node.children.toReversed());
  }
  return {
    find: (identifier) => definitions.get(identifier),
    isUsed: (definition) => wanted.has(definition.identifier) && definitions.get(definition.identifier) === definition,
  };
}
