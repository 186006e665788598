'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { layoutText } from './messages'
import { themes } from './theme'
import { useTheme } from './use-theme'

const icons = { system: Monitor, light: Sun, dark: Moon } as const

export function ThemeChoice() {
  const [theme, setTheme] = useTheme()
  const name = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm text-muted">{layoutText.theme}</legend>
      <div className="grid grid-cols-3 gap-1 rounded-control bg-sunken p-1">
        {themes.map((option) => {
          const Icon = icons[option]
          return (
            <label
              key={option}
              className="flex min-h-11 cursor-pointer items-center justify-center gap-1.5 rounded-control px-1 text-sm font-medium text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                value={option}
                checked={theme === option}
                onChange={() => setTheme(option)}
                className="sr-only"
              />
              <Icon aria-hidden className="size-4 shrink-0" />
              {layoutText.themes[option]}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
