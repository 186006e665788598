export function openBrowser(url: string): Promise<boolean>
