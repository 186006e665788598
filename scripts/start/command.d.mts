export function placePrefix(env: Readonly<Record<string, string | undefined>>): string
