// SPDX-License-Identifier: Apache-2.0
// Le texte des machines qui travaillent pour un serveur.
import type { Texts } from '.'

export const frMachines: Texts = {
  'nav.machines': 'Machines',
  'machines.about': 'D’autres machines jouent les parties des matchs et des études. Les résultats sont les mêmes que si celle-ci les jouait toutes.',
  'machines.off': 'Ce serveur ne distribue pas de travail. Il le fait quand on le lance avec un port pour d’autres machines :',
  'machines.join': 'Une autre machine se joint par',
  'machines.workers': 'Travailleurs',
  'machines.worker': 'Travailleur',
  'machines.slots': 'Unités à la fois',
  'machines.rate': 'Par seconde',
  'machines.queued': 'Dans la file',
  'machines.runs': 'Travaux',
  'machines.run': 'Travail',
  'machines.done': 'Faites',
  'machines.left': 'Temps restant',
  'machines.steer': 'Diriger',
  'machines.noRuns': 'Rien n’est distribué en ce moment.',
  'machines.noWorkers': 'Aucune machine n’a rien dit depuis dix secondes.',
  'machines.paused': 'en pause',
  'machines.banned': 'écartés pour résultats faux : {names}',
  'machines.pause': 'Pause',
  'machines.resume': 'Reprendre',
  'machines.cancel': 'Annuler',
  'machines.priority': 'Priorité',
  'machines.cancelSure': 'Annuler {name} ? Les résultats restent, et on peut recommencer.',
  'machines.busy': 'Occupation',
  'machines.failed': 'Échecs',
  'machines.does': 'Travaille pour',
  'machines.idle': 'rien',
  'machines.waiting': 'attend',
}
