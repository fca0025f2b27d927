// Ctrl-C while processes run beside us: they are in groups of their own and must be ended by us.
#pragma once

namespace raddle::experiment {

/// While one lives, SIGINT and SIGTERM are only noted. One at a time.
class CatchInterrupts {
 public:
  CatchInterrupts();
  ~CatchInterrupts();
  CatchInterrupts(const CatchInterrupts&) = delete;
  CatchInterrupts& operator=(const CatchInterrupts&) = delete;

  bool came() const;

 private:
  void (*before_int_)(int);
  void (*before_term_)(int);
};

}  // namespace raddle::experiment
