// What threads do at a station (an engine, a unit, the command bus, a lock), and how long they wait
// for one another there: equations (3) and (4) of docs/prediction.md.
#pragma once

namespace nplab::experiments {

// Per cycle.
struct Traffic {
  double visits = 0;
  double busy = 0;     // of the station
  double squares = 0;  // sum of the squares of the service times

  Traffic& operator+=(const Traffic& other);
};
Traffic operator*(Traffic traffic, double factor);

// The work that customers have waiting and in service, on average. In service: the rest of it, as
// the squares say, but no more than a mean service. Threads return to an engine soon after they
// left it and do not find it at a random time: with the few that an engine has, longer rests would
// make it idle while threads wait.
double backlog_of(const Traffic& traffic, double wait);

// The wait for a station that is found to be `wait`: more, as long as the station would be busy for
// more than all the time, which half a service for the rest of one does not rule out.
double wait_within_capacity(double wait, double wait_before, double busy);

}  // namespace nplab::experiments
