'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { Segments } from '@/components/ui/segments'
import { layoutTexts } from './messages'
import { themes } from './theme'
import { useTheme } from './use-theme'

const icons = { system: Monitor, light: Sun, dark: Moon } as const

export function ThemeChoice() {
  const layoutText = useText(layoutTexts)
  const [theme, setTheme] = useTheme()
  const items = themes.map((value) => ({ value, label: layoutText.themes[value], icon: icons[value] }))
  return <Segments label={layoutText.theme} items={items} value={theme} onChange={setTheme} />
}
