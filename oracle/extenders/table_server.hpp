#pragma once

#include <memory>
#include <string>

#include "oracle/extenders/calls.hpp"

/// Serves the tables of an extender over HTTP, so that a scheduler can be tried with it.
namespace touchstone::oracle {

/// The answer of an extender to one call: a body, or an HTTP status other than 200.
struct ServedAnswer {
  int status = 200;
  std::string body;
};

/// The answer to a call of a verb. `body`: what the scheduler sent; members may be in any case. A verb that
/// the extender does not have gets the status 404, a body that cannot be read 400, and a table that is an
/// error 500. Ensures: names that were not sent are not in the answer, since the server does not know the
/// cluster. Clauses: EXT-ANSWER-1.
ServedAnswer served_answer(const Extender& extender, const std::string& verb, const std::string& body);

/// An HTTP server for one extender.
class TableServer {
 public:
  explicit TableServer(Extender extender);
  ~TableServer();
  TableServer(const TableServer&) = delete;
  TableServer& operator=(const TableServer&) = delete;

  /// Binds to a port of an address; 0: any free port. Returns the port; -1 if it cannot.
  int bind(const std::string& host, int port);
  /// Answers calls until stop(). Requires: bind() succeeded.
  void serve();
  void stop();

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace touchstone::oracle
