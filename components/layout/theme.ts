export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** A cookie rather than local storage, so that the server already sends the right colours and nothing flashes. */
export const THEME_COOKIE = 'theme'
const ONE_YEAR_SECONDS = 31_536_000

export function readTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`
}
