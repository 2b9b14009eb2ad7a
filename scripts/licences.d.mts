export function licencesOf(modules: Iterable<string>): string
