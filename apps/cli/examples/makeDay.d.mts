export function makeDay(folder: string): void
