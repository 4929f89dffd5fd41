// SPDX-License-Identifier: Apache-2.0
import type { enFirst } from './en.first'

export const frFirst: { [K in keyof typeof enFirst]: string } = {
  'away.title': 'Le serveur ne répond pas.',
  'away.about': 'La page redemande toutes les quelques secondes. Ce que vous voyez reste.',
  'away.retry': 'Réessayer',
  'lost.about': 'L’adresse est peut-être mal écrite, ou ce qu’elle montrait a été supprimé.',
  'lost.home': 'Nouvelle partie',
  'lost.page': 'Il n’y a pas de page {path}',
  'lost.part': 'Cette page n’a pas pu être chargée',
  'lost.server': 'Le serveur ne répond pas. Relancez-le, ou vérifiez votre connexion.',
}
